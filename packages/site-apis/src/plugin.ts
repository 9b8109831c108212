// The plugin: the format `siteApi`, the loader that runs recipes, and the endpoints of recipes.
import { definePlugin, type PluginContext } from '@harvestman/core/plugin'
import type { Guard } from '@harvestman/ports'

import { watchedBrowser } from './current-scrape.ts'
import { siteApisFeature } from './feature.ts'
import { siteApiFormat } from './format.ts'
import { recipeLoader } from './loader.ts'
import { makeOpenBrowsers } from './open-browsers.ts'
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
  const service = enabled
    ? { threads: makeWorkThreads(), browsers: makeOpenBrowsers(), context: () => context }
    : undefined
  return definePlugin({
    name: 'site-apis',
    // Cast: with `enabled: false`, the engine rejects requests with the format.
    formats: (enabled ? [siteApiFormat] : []) as readonly [typeof siteApiFormat],
    loaders: service ? [recipeLoader(service.context, service.threads)] : [],
    features: [siteApisFeature(service)],
    ports:
      service &&
      (({ browser, sessions }) => ({
        ...(browser && { browser: (guard: Guard) => watchedBrowser(browser(guard)) }),
        ...(sessions && { sessions: (guard: Guard) => service.browsers.watched(sessions(guard)) }),
      })),
    open: (given) => {
      context = given
    },
  })
}

/** Type of the plugin returned by `siteApis`. */
export type SiteApisPlugin = ReturnType<typeof siteApis>
