import { z } from 'zod'

import type { TurndownSettings } from './turndown-markdown.ts'
import { defineFormat } from '../plugin/define.ts'
import { pageHtml } from './readings.ts'

/** Markdown by turndown, with your rules and plugins, in place of the built-in writer: a format for `definePlugin`. */
export function turndown(settings: TurndownSettings = {}) {
  // Loaded when it is first needed: most engines never do.
  let convert: Promise<(html: string) => string> | undefined
  const load = async (): Promise<(html: string) => string> => {
    const { turndownMarkdown } = await import('./turndown-markdown.ts')
    return turndownMarkdown(settings)
  }
  return defineFormat({
    type: 'markdown',
    value: z.string().describe('The content of the page as Markdown.'),
    needs: { pageHtml },
    derive: async ({ pageHtml }) => {
      convert ??= load()
      return (await convert)(pageHtml)
    },
  })
}
