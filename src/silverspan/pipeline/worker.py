"""What a process that works for a run keeps: functions, models and gazetteers, loaded once.

The same in every process of every engine. A process may outlive a run: what it keeps is used only
where it is what the run was planned with.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from spacy.language import Language

from silverspan.corpus import parsing
from silverspan.corpus.pipelines import load_pipeline
from silverspan.errors import EngineError
from silverspan.labelling.apply import reads
from silverspan.labelling.function import LabellingFunction
from silverspan.pipeline.functions import load_functions
from silverspan.workspace import annotation, corpus_shards
from silverspan.workspace.fingerprint import of_functions

_kept: dict[str, tuple[dict[str, str], Sequence[LabellingFunction]]] = {}


def keep(file: str, functions: Sequence[LabellingFunction]) -> None:
    """Keep the functions of a project in this process, which has them already."""
    _kept[file] = _prints(functions), functions


def label_shard(file: str, item: annotation.Work) -> annotation.Done:
    """Run the functions of the project at ``file`` that changed over one shard."""
    return annotation.annotate_shard(item, _functions(file, item.functions))


def parse_chunk(pipeline: str, chunk: corpus_shards.Chunk) -> int:
    """Parse the records of one shard, write it, and return how many documents it has."""
    docs = list(parsing.parse(chunk.records, pipeline_here(pipeline)))
    corpus_shards.write_shard(chunk, docs)
    return len(docs)


@lru_cache(maxsize=1)
def pipeline_here(name: str) -> Language:
    """Return a spaCy pipeline, loaded once a process."""
    # spaCy's own English models are also labelling functions, which run `ner` themselves.
    exclude = ["ner"] if name.startswith("en_core_web") else []
    return load_pipeline(name, exclude=exclude)


def _functions(file: str, wanted: Mapping[str, str]) -> Sequence[LabellingFunction]:
    """Return the functions that a run was planned with."""
    known = _kept.get(file)
    if known is None or known[0] != wanted:
        functions = [one for one in load_functions(file) if one.name in wanted]
        known = _prints(functions), functions
        _kept[file] = known
    other = sorted(name for name, made in wanted.items() if known[0].get(name) != made)
    if other:
        raise EngineError(
            f"a worker has other code or other files for {', '.join(other[:5])} than this command; "
            "give it the same release, packages and project folder, at the same path"
        )
    return known[1]


def _prints(functions: Sequence[LabellingFunction]) -> dict[str, str]:
    return of_functions(tuple(functions), {one.name: reads(one, functions) for one in functions})
