// Changes to the Markdown of the docs, so that it works both on GitHub and on the site.
import { posix } from 'node:path'

const repository = 'https://github.com/harvestman/harvestman/blob/main/'

// Folders of docs/ that are not part of the site.
const notOnSite = /^docs\/(?:examples|recipes|deploy)(?:\/|$)/

/**
 * Returns the URL on GitHub of a file that the site does not have, or `undefined` for other links.
 * @param page The page with the link, relative to docs/.
 */
export function repositoryUrl(page: string, href: string): string | undefined {
  if (/^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(href)) return undefined
  const [, path = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? []
  const file = posix.join('docs', posix.dirname(page), path)
  const isOnSite = file.startsWith('docs/') && file.endsWith('.md') && !notOnSite.test(file)
  return isOnSite ? undefined : repository + file + anchor
}

/** Returns the link to the page of an error in place of its section in `errors.md`, or `undefined` for other links. */
export function errorUrl(href: string): string | undefined {
  const [, folder, code] = /^((?:\.\.?\/)*)errors\.md#(\w+)$/.exec(href) ?? []
  return code === undefined ? undefined : `${folder}errors/${code}.md`
}

/** Escapes braces in HTML that Vue would take for an expression: `{{ }}` is a placeholder in the docs. */
export function withoutExpressions(html: string): string {
  return html.replaceAll('{{', '&#123;&#123;')
}
