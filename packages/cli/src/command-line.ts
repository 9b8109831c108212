// The only importer of commander.
export { Command, CommanderError, Option } from 'commander'
