// Two tools for a model: read a page, list the URLs of a site. They have the shape of the `tools` option of the AI SDK.
import { createEngine } from '@harvestman/core'
import { z } from 'zod'

const engine = createEngine()

export const tools = {
  readPage: {
    description: 'Reads a web page and gives its content as Markdown.',
    inputSchema: z.object({ url: z.url() }),
    execute: async ({ url }: { url: string }) => {
      const { markdown, metadata } = await engine.scrape({ url })
      // Tells the model that page text is data, and limits its length.
      return { title: metadata.title, untrustedContent: markdown.slice(0, 20_000) }
    },
  },
  listSite: {
    description: 'Lists the addresses of a web site.',
    inputSchema: z.object({ url: z.url(), search: z.string().optional() }),
    execute: async ({ url, search }: { url: string; search?: string | undefined }) => {
      const { links } = await engine.map({ url, limit: 100, ...(search !== undefined && { search }) })
      return links.map((link) => link.url)
    },
  },
}

const [url = 'https://example.com'] = process.argv.slice(2)
const { title } = await tools.readPage.execute({ url })
console.log(title, (await tools.listSite.execute({ url })).length > 0)
await engine.close()
