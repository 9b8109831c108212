// Adds a format: the reading time of a page. Its value is typed in the document.
import { createEngine } from '@harvestman/core'
import { defineFormat, definePlugin, markdown } from '@harvestman/core/plugin'

const readingTime = defineFormat({
  type: 'readingTime',
  needs: { markdown },
  derive: ({ markdown }) => Math.ceil(markdown.split(/\s+/).length / 200),
})

const [url = 'https://example.com'] = process.argv.slice(2)
const engine = createEngine({ plugins: [definePlugin({ name: 'reading-time', formats: [readingTime] })] })
const document = await engine.scrape({ url, formats: ['readingTime'] })
console.log(document.readingTime, 'minutes')
await engine.close()
