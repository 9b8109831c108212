// Ports that parts of core may require.
import type { Browser, LLM, Proxies, Search, Sessions } from '@harvestman/ports'
import type { Capability } from './parts.ts'
import { definePort, type Port } from './port.ts'

/** Port of the browser. */
export const browserPort = definePort<Browser>({ name: 'browser', help: 'a browser: createEngine({ browser })' })

/** Port of the language model. */
export const llmPort = definePort<LLM>({
  name: 'llm',
  help: 'a language model: createEngine({ llm })',
})

/** Port of the proxies. */
export const proxiesPort = definePort<Proxies>({
  name: 'proxies',
  help: 'proxies: createEngine({ proxies }), for example staticProxies({ enhanced: [address] })',
})

/** Port of the search. */
export const searchPort = definePort<Search>({
  name: 'search',
  help: 'something to search: createEngine({ search })',
})

/** Port of live browsers, which a plugin provides. */
export const sessionsPort = definePort<Sessions>({ name: 'sessions', help: 'live browsers: live({ sessions })' })

/** Port to name in the error if no loader offers a capability. */
export const portOfCapability: Readonly<Record<Capability, Port>> = {
  actions: browserPort,
  capture: browserPort,
  mobile: browserPort,
  wait: browserPort,
  scripts: browserPort,
  proxy: proxiesPort,
}
