import { createEngine } from '@harvestman/core'
import { defineParser, definePlugin } from '@harvestman/core/plugin'

/** Converts a calendar to a list of its events. */
export const calendar = defineParser({
  name: 'calendar',
  accepts: ['text/calendar'],
  parse: (bytes) => {
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/)
    const events = lines.filter((line) => line.startsWith('SUMMARY:')).map((line) => line.slice('SUMMARY:'.length))
    return { markdown: events.map((event) => `- ${event}`).join('\n'), metadata: { events: events.length } }
  },
})

export async function readCalendar(url: string, allowPrivate: readonly string[] = []): Promise<string> {
  const engine = createEngine({
    allowPrivate,
    plugins: [definePlugin({ name: 'calendars', parsers: [calendar] })],
  })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    await engine.close()
  }
}
