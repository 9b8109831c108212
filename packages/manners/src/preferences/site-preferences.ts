// The plugin: the format `preferences`, and the policy that refuses pages.
import {
  defineFormat,
  definePlugin,
  definePolicy,
  rawHtml,
  type Plugin,
  type Policy,
  type PolicyPage,
} from '@harvestman/core/plugin'
import { EngineError, type Json } from '@harvestman/ports'
import { z } from 'zod'

import { gatherSite, withPage, type Gathered } from './gather.ts'
import { readPageStatements, statingElements, type FoundAttribute } from './page-statements.ts'
import { makeSiteFiles, type SiteFiles } from './site-files.ts'
import { forbidding, signals, summaryOf, uses, type Statement, type Use } from './statements.ts'

/** Options of `sitePreferences`. */
export interface SitePreferencesOptions {
  /**
   * Your uses of pages, or a function that returns the uses of a team. Pages whose site forbids one of them are refused.
   * Default: nothing is refused.
   */
  readonly uses?: readonly Use[] | ((team: string) => readonly Use[]) | undefined
  /** Hosts with which you have an agreement. Their pages are not refused. */
  readonly licensed?: readonly string[] | undefined
  /** The `userAgent` of the engine. Its name selects the rules in robots.txt and robots tags. Default: `Harvestman`. */
  readonly userAgent?: string | undefined
}

/** The format that the plugin adds. */
export type PreferencesFormat = ReturnType<typeof preferencesFormat>

/**
 * Creates a plugin that reads the preferences of sites for uses of their pages: Content-Signal, Content-Usage, robots tags, TDM
 * reservations and RSL licences. It adds the format `preferences`, and with `uses` a policy. Create one for each engine. Throws
 * `invalid_request` for an unknown use.
 */
export function sitePreferences(options: SitePreferencesOptions = {}): Plugin<readonly [PreferencesFormat]> {
  const bot = nameOf(options.userAgent)
  const { uses: wanted = [], licensed = [] } = options
  if (typeof wanted !== 'function') checkUses(wanted)
  let files: SiteFiles | undefined
  const opened = (): SiteFiles => {
    if (files) return files
    throw new TypeError('The plugin site-preferences was not opened.')
  }
  const isOff = typeof wanted !== 'function' && wanted.length === 0
  return definePlugin({
    name: 'site-preferences',
    formats: [preferencesFormat(opened, bot)],
    policies: isOff ? [] : [preferencesPolicy({ wanted, licensed, files: opened, bot })],
    open: (context) => void (files ??= makeSiteFiles(context, bot)),
  })
}

const value = () =>
  z
    .object({
      uses: z
        .object({
          search: z.boolean().optional(),
          'ai-input': z.boolean().optional(),
          'ai-train': z.boolean().optional(),
          tdm: z.boolean().optional(),
        })
        .describe('Whether each use is allowed. A use that the site does not mention is absent.'),
      statements: z
        .array(
          z.object({
            use: z.enum(uses),
            allowed: z.boolean(),
            signal: z.enum(signals),
            where: z.string(),
            text: z.string(),
            of: z.literal('images').optional(),
          }),
        )
        .describe('The statements of the site and the page, with their sources.'),
      licenses: z
        .array(
          z.object({
            url: z.string(),
            isRead: z.boolean(),
            terms: z.array(
              z.object({
                permits: z.array(z.string()),
                prohibits: z.array(z.string()),
                conditions: z.array(z.string()),
                payment: z.string(),
              }),
            ),
          }),
        )
        .describe('RSL licences for the page. Those on other hosts are not read.'),
      policies: z.array(z.string()).describe('URLs of policies for text and data mining.'),
      llmsTxt: z.string().optional().describe('URL of the llms.txt of the site, if it has one.'),
    })
    .describe('What the site states about uses of the page.')

const nothing: Gathered = { statements: [], licenses: [], policies: [] }

function preferencesFormat(files: () => SiteFiles, bot: string) {
  return defineFormat({
    type: 'preferences',
    options: z.object({
      site: z
        .boolean()
        .meta({
          title: 'Files of the site',
          description:
            'Also read robots.txt, tdmrep.json, llms.txt and RSL licences of the host. Without them, only the headers and elements of the page are read.',
        })
        .default(true),
    }),
    value: value(),
    needs: { html: rawHtml },
    derive: async ({ html }, { options, page, request, read, signal }) => {
      const url = new URL(page.url)
      const isWeb = /^https?:$/.test(url.protocol)
      const readsSite = options.site && !request.lockdown && isWeb
      const found = await read({ url: page.url, html: html ?? '' }, 'attributes', { selectors: elementsFor(bot) })
      const own = readPageStatements(page, found as readonly FoundAttribute[], bot)
      const [site, hasLlmsTxt] = readsSite
        ? await Promise.all([gatherSite(files(), url, signal), files().hasLlmsTxt(url.origin, signal)])
        : [nothing, false]
      // Without the files of the site, licences are listed, but not read.
      const all = readsSite ? await withPage(site, own, files(), url, signal) : listed(own)
      return {
        uses: summaryOf(all.statements, isImage(page.headers)),
        statements: all.statements,
        licenses: all.licenses,
        policies: all.policies,
        ...(hasLlmsTxt && { llmsTxt: `${url.origin}/llms.txt` }),
      }
    },
  })
}

function elementsFor(bot: string): Json {
  return statingElements(bot).map(({ selector, attribute }) => ({ selector, attribute }))
}

function listed({ statements, licenses, policies }: ReturnType<typeof readPageStatements>): Gathered {
  return { statements, policies, licenses: licenses.map((url) => ({ url, isRead: false, terms: [] })) }
}

interface PolicyParts {
  readonly wanted: NonNullable<SitePreferencesOptions['uses']>
  readonly licensed: readonly string[]
  readonly files: () => SiteFiles
  readonly bot: string
}

function preferencesPolicy({ wanted, licensed, files, bot }: PolicyParts): Policy {
  const hosts = new Set(licensed.map((host) => host.toLowerCase()))
  const usesFor = (url: URL, team: string): readonly Use[] => {
    if (hosts.has(url.hostname)) return []
    return typeof wanted === 'function' ? wanted(team) : wanted
  }
  return definePolicy({
    name: 'site-preferences',
    may: async (question, { team, signal, isOffline }) => {
      if (question.is !== 'url' || isOffline) return true
      const all = usesFor(question.url, team)
      if (all.length === 0) return true
      const { statements } = await gatherSite(files(), question.url, signal)
      // The page may replace the reservation of its site.
      return verdict(
        all,
        statements.filter((one) => one.signal !== 'tdm-reservation'),
        false,
      )
    },
    elements: statingElements(bot),
    mayUse: async (page: PolicyPage, { team, signal, isOffline }) => {
      const url = new URL(page.url)
      const all = usesFor(url, team)
      if (all.length === 0) return true
      const own = readPageStatements(page, page.elements, bot)
      if (isOffline) return verdict(all, own.statements, isImage(page.headers))
      const { statements } = await withPage(await gatherSite(files(), url, signal), own, files(), url, signal)
      return verdict(all, statements, isImage(page.headers))
    },
  })
}

/** Returns `true`, or the reason why a page is refused: which use, and where the site forbids it. */
function verdict(all: readonly Use[], statements: readonly Statement[], isImage: boolean): true | string {
  for (const use of all) {
    const no = forbidding(use, statements, isImage)
    if (no) return `The site does not allow the use ${use}: "${no.text}" (${no.where}).`
  }
  return true
}

function isImage(headers: Readonly<Record<string, string>>): boolean {
  return /^\s*image\//i.test(headers['content-type'] ?? '')
}

function checkUses(given: readonly string[]): void {
  const unknown = given.find((use) => !uses.some((known) => known === use))
  if (unknown === undefined) return
  throw new EngineError('invalid_request', `uses: ${JSON.stringify(unknown)} is not a use. Choose ${uses.join(', ')}.`)
}

/** Returns the name of the bot in a user agent, such as `Name` of `Mozilla/5.0 (compatible; Name/1.0)`. */
function nameOf(userAgent = 'Harvestman'): string {
  const compatible = /^Mozilla\/[^(]*\(compatible; *([\w-]+)/i.exec(userAgent.trim())?.[1]
  return compatible ?? /^[\w-]*/.exec(userAgent.trim())![0]
}
