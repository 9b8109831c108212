// A client of this server, on Node or in a browser.
import { createClient } from '@harvestman/client'

import type { ServerEngine } from './typed-server.ts'

export async function shoutTitle(server: string, url: string): Promise<string> {
  const client = createClient<ServerEngine>({ url: server })
  const { shout } = await client.scrape({ url, formats: [{ type: 'shout', mark: '?' }] })
  return shout.text
}
