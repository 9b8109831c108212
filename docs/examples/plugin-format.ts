import { createEngine } from '@harvestman/core'
import { defineFormat, definePlugin, markdown, title } from '@harvestman/core/plugin'
import { z } from 'zod'

/** The first words of a page. */
export const teaser = defineFormat({
  type: 'teaser',
  options: z.object({ words: z.int().min(1).max(200).default(20) }),
  value: z.object({ title: z.string(), text: z.string() }),
  needs: { markdown, title },
  derive: ({ markdown, title }, { options }) => ({
    title,
    text: markdown
      .replaceAll(/<[^>]*>|[#*_`]/g, '')
      .trim()
      .split(/\s+/)
      .slice(0, options.words)
      .join(' '),
  }),
  credits: () => 1,
})

/** The options and the value are typed from the definition. */
export async function readTeaser(url: string, allowPrivate: readonly string[] = []): Promise<string> {
  const engine = createEngine({ allowPrivate, plugins: [definePlugin({ name: 'teasers', formats: [teaser] })] })
  try {
    const document = await engine.scrape({ url, formats: [{ type: 'teaser', words: 5 }] })
    return document.teaser.text
  } finally {
    await engine.close()
  }
}
