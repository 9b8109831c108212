// What a configuration says, without the engine: for programs that only read it.
export { readConfig } from './config.ts'
export type { Config, ConfigSources, Environment, ReadConfig } from './config.ts'
export { ownFeatureSummaries } from './own-feature-summaries.ts'
export { loadPlugins } from './plugins.ts'
export { isForMany, shownAddress } from './services.ts'
