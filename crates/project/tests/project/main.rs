//! Whole projects in memory: files in, values and diagnostics out. Nothing here touches a disk but
//! the test of recorded cases.

mod asking;
mod bad_input;
mod budget;
mod checked;
mod depth;
mod editing;
mod files;
mod inputs;
mod instances;
mod marks;
mod modules;
mod mutation;
mod newer;
mod order;
mod recorded;
mod references;
mod resources;
mod scale;
mod scene;
mod schema;
mod threads;
mod values;
mod visiting;
