//! The real program, started as a person or a service manager would: its output, its exit codes, its
//! life and its end. Rows of the contract that are only true of the whole thing are shown here.

mod beside;
mod broken_files;
mod call;
mod canary;
mod clock;
mod config_key;
mod control;
mod demo;
mod descriptors;
mod elsewhere;
mod endurance;
mod files;
mod folder;
mod hang_up;
mod ignored;
mod life;
mod made;
mod notes_edit;
mod notes_files;
mod notes_watch;
mod prove;
mod reading;
mod rehearse;
mod room;
mod rules;
mod sandbox;
mod secrets;
mod service;
mod tls;
mod verbs;
mod waiting;
mod warnings;
mod words;
mod work;
mod wrapped;
