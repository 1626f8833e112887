from silverspan.cli.main import main
from silverspan.project import Project


def test_init_writes_a_project_whose_settings_are_valid(tmp_path, capsys):
    assert main(["init", str(tmp_path / "news")]) == 0
    project = Project(tmp_path / "news")
    assert all(path.exists() for path in project.function_files)
    assert "silverspan run" in capsys.readouterr().out


def test_init_overwrites_nothing(tmp_path, capsys):
    (tmp_path / "functions.py").write_text("mine")
    assert main(["init", str(tmp_path)]) == 1
    assert "functions.py: is there already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["functions.py"]
