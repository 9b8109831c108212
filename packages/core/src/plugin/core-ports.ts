// The ports that parts of core may require.
import type { Browser, LLM, Proxies, Sandbox, Search, Sessions } from '@harvestman/ports'
import type { Capability } from './parts.ts'
import { definePort, type Port } from './port.ts'

export const browserPort = definePort<Browser>({ name: 'browser', help: 'a browser: createEngine({ browser })' })

export const llmPort = definePort<LLM>({
  name: 'llm',
  help: 'a language model: createEngine({ llm }), for example chatLLM() of @harvestman/llm; on a server set OPENAI_API_KEY, or OPENAI_BASE_URL and MODEL_NAME, or OLLAMA_BASE_URL',
})

export const sessionsPort = definePort<Sessions>({
  name: 'sessions',
  help: 'live browsers: createEngine({ sessions }), for example puppeteerSessions()',
})

export const sandboxPort = definePort<Sandbox>({
  name: 'sandbox',
  help: 'a sandbox: createEngine({ sandbox }), for example localSandbox(), or HARVESTMAN_SANDBOX=auto on a server',
})

export const proxiesPort = definePort<Proxies>({
  name: 'proxies',
  help: 'proxies: createEngine({ proxies }), for example staticProxies({ enhanced: [address] })',
})

export const searchPort = definePort<Search>({
  name: 'search',
  help: 'something to search: createEngine({ search }), for example searxng({ endpoint }) or pageIndex() of @harvestman/search; on a server set SEARXNG_ENDPOINT, or HARVESTMAN_SEARCH_INDEX=on',
})

/** What is missing when no loader offers something. */
export const portOfCapability: Readonly<Record<Capability, Port>> = {
  actions: browserPort,
  capture: browserPort,
  mobile: browserPort,
  wait: browserPort,
  scripts: browserPort,
  proxy: proxiesPort,
}
