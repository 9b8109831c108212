import { z } from 'zod'

import type { TurndownSettings } from './turndown-markdown.ts'
import { defineFormat } from '../plugin/define.ts'
import { pageHtml } from './readings.ts'

/**
 * Creates a `markdown` format that uses turndown with your rules and plugins. List it in a plugin to replace the built-in one.
 * With `redactPII`, the Markdown is redacted, and empty with a warning if it has more than 250,000 characters.
 */
export function turndown(settings: TurndownSettings = {}) {
  // Imported on first use, because most engines never need it.
  let convert: Promise<(html: string) => string> | undefined
  const load = async (): Promise<(html: string) => string> => {
    const { turndownMarkdown } = await import('./turndown-markdown.ts')
    return turndownMarkdown(settings)
  }
  return defineFormat({
    type: 'markdown',
    value: z.string().describe('The content of the page as Markdown.'),
    redacts: true,
    needs: { pageHtml },
    derive: async ({ pageHtml }, { request: { redactPII }, warn }) => {
      convert ??= load()
      const markdown = (await convert)(pageHtml)
      if (!redactPII) return markdown
      const { redact, redactionProblem } = await import('../redact/redact.ts')
      const problem = redactionProblem(markdown)
      if (problem !== undefined) warn(problem)
      return redact(markdown, redactPII)
    },
  })
}
