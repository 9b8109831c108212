// The only importer of commander.
export { Argument, Command, CommanderError, Option } from 'commander'
export type { OutputConfiguration } from 'commander'
