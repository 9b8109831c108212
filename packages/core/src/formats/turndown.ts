import { z } from 'zod'

import { turndownMarkdown, type TurndownSettings } from '../html/turndown.ts'
import { defineFormat } from '../plugin/define.ts'
import { pageHtml } from './readings.ts'

/** Markdown by turndown, with your rules and plugins, in place of the built-in writer: a format for `definePlugin`. */
export function turndown(settings: TurndownSettings = {}) {
  const convert = turndownMarkdown(settings)
  return defineFormat({
    type: 'markdown',
    value: z.string().describe('The content of the page as Markdown.'),
    needs: { pageHtml },
    derive: ({ pageHtml }) => convert(pageHtml),
  })
}
