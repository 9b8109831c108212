export { configSchema, environmentNames, readConfig } from './config.ts'
export type { Config, ConfigSources, Environment, ReadConfig } from './config.ts'
export { openEngine, openServer, type Opened, type OpenOptions } from './open.ts'
export { examine, type Finding } from './doctor.ts'
