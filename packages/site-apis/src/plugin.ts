// The plugin: the format `siteApi`, the loader that runs recipes, and the endpoints of recipes.
import { definePlugin, type PluginContext } from '@harvestman/core/plugin'

import { watchedBrowser } from './current-scrape.ts'
import { siteApisFeature } from './feature.ts'
import { siteApiFormat } from './format.ts'
import { recipeLoader } from './loader.ts'
import { makeWorkThreads } from './threads.ts'

/** Options of `siteApis`. */
export interface SiteApisOptions {
  /** Set to `false` to omit the format. The endpoints then explain how to enable it. Default: `true`. */
  readonly enabled?: boolean | undefined
}

/**
 * Creates the plugin for site APIs: `createEngine({ browser, plugins: [siteApis()] })`. It needs a browser to learn. Throws
 * `not_configured` if a bundler has merged the package into an application.
 */
export function siteApis({ enabled = true }: SiteApisOptions = {}) {
  let context: PluginContext | undefined
  return definePlugin({
    name: 'site-apis',
    // Cast: with `enabled: false`, the engine rejects requests with the format.
    formats: (enabled ? [siteApiFormat] : []) as readonly [typeof siteApiFormat],
    loaders: enabled ? [recipeLoader(() => context, makeWorkThreads())] : [],
    features: [siteApisFeature(enabled)],
    ports: enabled
      ? ({ browser }) => (browser ? { browser: (guard) => watchedBrowser(browser(guard)) } : {})
      : undefined,
    open: (given) => {
      context = given
    },
  })
}

/** Type of the plugin returned by `siteApis`. */
export type SiteApisPlugin = ReturnType<typeof siteApis>
