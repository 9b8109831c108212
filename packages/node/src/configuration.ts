// Reads configurations without loading the engine, for clients that only need the settings.
export { readConfig } from './config.ts'
export type { ConfigSources, Environment, ReadConfig } from './config.ts'
export type { Config } from './settings.ts'
export { ownFeatureSummaries } from './own-feature-summaries.ts'
export { loadPlugins } from './plugins.ts'
export { isForMany, withoutCredentials } from './services.ts'
