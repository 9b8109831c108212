import type { LoadedPage } from '@harvestman/core/plugin'

import type { LlmsTxtRequest } from './request.ts'

/** One page in an llms.txt. */
export interface DigestPage {
  readonly url: string
  readonly title: string
  readonly description: string
  /** Position among the pages of the site. */
  readonly place: number
  readonly text?: string
}

export interface DigestData {
  readonly llmstxt: string
  readonly llmsfulltxt?: string
}

const longest = { title: 200, description: 300, fullText: 50_000_000 }

/**
 * Returns the title (at most 200 characters) and description (300) of a page. A missing title falls back to `ogTitle`, the
 * first heading and then the URL; a missing description to `ogDescription`, then to an empty string.
 */
export function describePage(
  { url, sourceURL, title, description, ...more }: LoadedPage['metadata'],
  text: string,
): Omit<DigestPage, 'place' | 'text'> {
  const heading = /^#{1,6}\s+(.+)$/m.exec(text.slice(0, 20_000))?.[1]
  return {
    url,
    title: oneLine(title ?? more['ogTitle'] ?? heading ?? sourceURL, longest.title) || url,
    description: oneLine(description ?? more['ogDescription'] ?? '', longest.description),
  }
}

function oneLine(value: unknown, most: number): string {
  const text = Array.isArray(value) ? String(value[0]) : typeof value === 'string' ? value : ''
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, most)
}

/**
 * Builds `llms.txt` and, if requested, `llms-full.txt`, with pages in the order of the site. The full text ends before the
 * first page with which it would exceed 50 million characters, and has a note about it.
 */
export function buildLlmsTxt(pages: readonly DigestPage[], { url, showFullText }: LlmsTxtRequest): DigestData {
  const inOrder = pages.toSorted((one, other) => one.place - other.place)
  const lines = inOrder.map(({ url, title, description }) => {
    const link = `- [${title.replaceAll(/[[\]]/g, '')}](${url})`
    return description === '' ? link : `${link}: ${description}`
  })
  const llmstxt = `# ${url} llms.txt\n\n${lines.join('\n')}\n`
  if (!showFullText) return { llmstxt }
  let llmsfulltxt = `# ${url} llms-full.txt\n\n`
  for (const { url, title, text = '' } of inOrder) {
    const part = `## ${title}\n\nSource: ${url}\n\n${text}\n\n`
    if (llmsfulltxt.length + part.length > longest.fullText)
      return { llmstxt, llmsfulltxt: `${llmsfulltxt}(Cut here.)\n` }
    llmsfulltxt += part
  }
  return { llmstxt, llmsfulltxt }
}
