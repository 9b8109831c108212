// The ports that parts of core may require.
import type { Browser, LLM, Proxies, Search, Sessions } from '@harvestman/ports'
import type { Capability } from './parts.ts'
import { definePort, type Port } from './port.ts'

/** The port of the browser. */
export const browserPort = definePort<Browser>({ name: 'browser', help: 'a browser: createEngine({ browser })' })

/** The port of the language model. */
export const llmPort = definePort<LLM>({
  name: 'llm',
  help: 'a language model: createEngine({ llm })',
})

/** The port of the proxies. */
export const proxiesPort = definePort<Proxies>({
  name: 'proxies',
  help: 'proxies: createEngine({ proxies }), for example staticProxies({ enhanced: [address] })',
})

/** The port of the search. */
export const searchPort = definePort<Search>({
  name: 'search',
  help: 'something to search: createEngine({ search })',
})

/** The port of live browsers. A plugin gives them. */
export const sessionsPort = definePort<Sessions>({ name: 'sessions', help: 'live browsers: live({ sessions })' })

/** Port that is missing when no loader offers a capability. */
export const portOfCapability: Readonly<Record<Capability, Port>> = {
  actions: browserPort,
  capture: browserPort,
  mobile: browserPort,
  wait: browserPort,
  scripts: browserPort,
  proxy: proxiesPort,
}
