// Splits the pages of a site at their headings, for a vector store. Each passage has its page and heading.
import { createEngine } from '@harvestman/core'

interface Passage {
  readonly url: string
  readonly heading: string
  readonly text: string
}

function passagesOf(url: string, markdown: string): readonly Passage[] {
  return markdown.split(/^(?=#{1,3} )/m).map((part) => {
    const [first = '', ...rest] = part.split('\n')
    return first.startsWith('#')
      ? { url, heading: first.replace(/^#+ /, ''), text: rest.join('\n').trim() }
      : { url, heading: '', text: part.trim() }
  })
}

const [url = 'https://example.com/docs/'] = process.argv.slice(2)
const engine = createEngine()
const crawl = await engine.crawl({ url, limit: 100 })
for await (const { markdown, metadata } of crawl.documents()) {
  for (const passage of passagesOf(metadata.url ?? url, markdown)) console.log(JSON.stringify(passage))
}
await engine.close()
