// Ports that parts of core may require.
import type { Browser, LLM, Proxies, Search, Sessions } from '@harvestman/ports'
import type { Capability } from './parts.ts'
import { definePort, type Port } from './port.ts'

/** Port of the browser. */
export const browserPort = definePort<Browser>({
  name: 'browser',
  description: 'a browser',
  remedy: 'Pass createEngine({ browser }), such as puppeteerBrowser() of @harvestman/puppeteer.',
})

/** Port of the language model. */
export const llmPort = definePort<LLM>({
  name: 'llm',
  description: 'a language model',
  remedy: 'Pass createEngine({ llm }), such as chatLLM({ url, model }) of @harvestman/llm.',
})

/** Port of the proxies. */
export const proxiesPort = definePort<Proxies>({
  name: 'proxies',
  description: 'proxies',
  remedy: 'Pass createEngine({ proxies }), such as staticProxies({ enhanced: [url] }) of @harvestman/core.',
})

/** Port of the search. */
export const searchPort = definePort<Search>({
  name: 'search',
  description: 'a search provider',
  remedy: 'Pass createEngine({ search }), such as searxng({ endpoint }) of @harvestman/search.',
})

/** Port of live browsers, which a plugin provides. */
export const sessionsPort = definePort<Sessions>({
  name: 'sessions',
  description: 'live browsers',
  remedy: 'Add live({ sessions: puppeteerSessions() }) of @harvestman/live and @harvestman/puppeteer to plugins.',
})

/** Port to name in the error if no loader offers a capability. */
export const portOfCapability: Readonly<Record<Capability, Port>> = {
  actions: browserPort,
  capture: browserPort,
  mobile: browserPort,
  wait: browserPort,
  scripts: browserPort,
  proxy: proxiesPort,
  profile: browserPort,
}
