// All statements about a page: of its site, and its own.
import type { PageStatements } from './page-statements.ts'
import { rslContentFor, rslStatements, type RslLicense } from './rsl.ts'
import { tdmrepUrl, type SiteFiles } from './site-files.ts'
import type { Statement } from './statements.ts'
import { tdmrepAbout } from './tdmrep.ts'

/** A licence that applies to a page. */
export interface FoundLicense {
  readonly url: string
  /** False if it is on another host, or could not be fetched. */
  readonly isRead: boolean
  readonly terms: readonly RslLicense[]
}

/** Statements, licences and policies for a page. */
export interface Gathered {
  readonly statements: readonly Statement[]
  readonly licenses: readonly FoundLicense[]
  readonly policies: readonly string[]
}

/** Reads the files of a site, and returns their statements about a page. Rejects only if aborted. */
export async function gatherSite(files: SiteFiles, url: URL, signal: AbortSignal): Promise<Gathered> {
  if (!/^https?:$/.test(url.protocol)) return { statements: [], licenses: [], policies: [] }
  const { origin } = url
  const [robots, rules] = await Promise.all([files.robots(origin, signal), files.tdmrep(origin, signal)])
  const tdm = tdmrepAbout(rules, tdmrepUrl(origin), url)
  const licensed = await gatherLicenses(files, robots.licenses, url, signal)
  return {
    statements: [...robots.about(url), ...tdm.statements, ...licensed.flatMap((one) => one.statements)],
    licenses: licensed.map(({ license }) => license),
    policies: tdm.policies,
  }
}

/** Adds the statements of a page. Its TDM reservation replaces the one in the file of the site. */
export async function withPage(
  site: Gathered,
  page: PageStatements,
  files: SiteFiles,
  url: URL,
  signal: AbortSignal,
): Promise<Gathered> {
  const known = new Set(site.licenses.map((license) => license.url))
  const further = page.licenses.filter((license) => !known.has(license))
  const licensed = await gatherLicenses(files, further, url, signal)
  const isReserved = page.statements.some(({ signal: of }) => of === 'tdm-reservation')
  return {
    statements: [
      ...site.statements.filter(({ signal: of }) => !isReserved || of !== 'tdm-reservation'),
      ...page.statements,
      ...licensed.flatMap((one) => one.statements),
    ],
    licenses: [...site.licenses, ...licensed.map(({ license }) => license)],
    policies: [...new Set([...page.policies, ...site.policies])],
  }
}

// Of one page. More are listed, but not read.
const maxRead = 3

/** Licences on other hosts are not fetched: the policies of the operator may forbid these hosts. */
async function gatherLicenses(files: SiteFiles, urls: readonly string[], page: URL, signal: AbortSignal) {
  const own = urls.filter((url) => URL.parse(url)?.origin === page.origin).slice(0, maxRead)
  return Promise.all(
    urls.map(async (url) => {
      const contents = own.includes(url) ? await files.license(url, signal) : undefined
      const content = contents && rslContentFor(contents, url, page)
      const license: FoundLicense = { url, isRead: contents !== undefined, terms: content?.licenses ?? [] }
      return { license, statements: content ? rslStatements(content, url) : [] }
    }),
  )
}
