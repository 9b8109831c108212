// The only importer of commander.
export { Command, CommanderError } from 'commander'
