// Loads a site as LangChain documents: objects with content and metadata.
import { createEngine } from '@harvestman/core'

interface Document {
  readonly pageContent: string
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A LangChain document loader, which has one method. */
export function siteLoader(url: string, limit = 100) {
  return {
    async load(): Promise<Document[]> {
      const engine = createEngine()
      const documents: Document[] = []
      const crawl = await engine.crawl({ url, limit })
      for await (const { markdown, metadata } of crawl.documents()) {
        documents.push({ pageContent: markdown, metadata: { source: metadata.url, title: metadata.title } })
      }
      await engine.close()
      return documents
    },
  }
}

const [url = 'https://example.com/docs/'] = process.argv.slice(2)
for (const { metadata, pageContent } of await siteLoader(url).load()) {
  console.log(metadata['title'], pageContent.length > 0)
}
