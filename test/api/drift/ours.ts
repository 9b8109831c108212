// The description that a server with everything on has of itself.
import { openServer, readConfig } from '@harvestman/node'

export async function readOurDocument(): Promise<Readonly<Record<string, unknown>>> {
  const env = {
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    OPENAI_API_KEY: 'x',
    MODEL_NAME: 'm',
    SEARXNG_ENDPOINT: 'http://127.0.0.1:9',
    HARVESTMAN_PORT: '0',
    HARVESTMAN_LOG: 'silent',
    HARVESTMAN_STORE: 'memory:',
  }
  const server = await openServer(readConfig({ env }).config)
  try {
    const response = await fetch(`${server.url}/openapi.json`)
    return (await response.json()) as Readonly<Record<string, unknown>>
  } finally {
    await server.close()
  }
}
