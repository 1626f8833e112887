"""What annotation tools write, one a file: people's annotations and models' suggestions come in."""
