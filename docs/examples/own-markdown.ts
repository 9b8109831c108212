import { createEngine, turndown } from '@harvestman/core'
import { definePlugin } from '@harvestman/core/plugin'

/** Writes `<mark>` as double equals signs. */
const marked = turndown({
  rules: { mark: { filter: 'mark', replacement: (content) => `==${content}==` } },
})

export async function readMarked(url: string, allowPrivate: readonly string[] = []): Promise<string> {
  const engine = createEngine({ allowPrivate, plugins: [definePlugin({ name: 'marked', formats: [marked] })] })
  try {
    const { markdown } = await engine.scrape({ url })
    return markdown
  } finally {
    await engine.close()
  }
}
