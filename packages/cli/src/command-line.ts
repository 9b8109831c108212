// The only module that imports commander.
export { Argument, Command, CommanderError, Option } from 'commander'
export type { OutputConfiguration } from 'commander'
