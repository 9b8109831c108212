import type { SearchQuery, SearchTime } from '@harvestman/ports'

import { decodedPath, type Filters } from './operators.ts'
import { termsMatch, type Terms } from './words.ts'

/** An SQL condition on rows of the table `pages`, with its parameters, for SQLite and Postgres. */
export interface Conditions {
  readonly where: string
  readonly values: readonly (string | number)[]
}

const hour = 3_600_000
const spans = { hour, day: 24 * hour, week: 7 * 24 * hour, month: 31 * 24 * hour, year: 366 * 24 * hour }

/** Returns whether a query has no filters, so that every page that has not expired qualifies. */
export function wantsAll({ includeDomains, excludeDomains, categories, time, newestFirst }: SearchQuery): boolean {
  return includeDomains.length + excludeDomains.length + categories.length === 0 && !time && !newestFirst
}

/** A query with the filters in its words. `life` is the time after which pages expire. Times are in milliseconds. */
interface Filtered {
  readonly query: SearchQuery
  readonly filters: Filters
  readonly now: number
  readonly life: number
}

/** Returns the SQL condition of a query's filters. A domain includes its subdomains. */
export function conditionsOf({ query, filters, now, life }: Filtered): Conditions {
  const { includeDomains, excludeDomains, categories, time } = query
  const all = [
    timeCondition(time, now, life),
    ...(includeDomains.length > 0 ? [anyOf(includeDomains.map(within))] : []),
    ...excludeDomains.map((domain) => not(within(domain))),
    ...(categories.length > 0
      ? [anyOf(categories.flatMap(({ sites, file }) => [...sites.map(within), ...(file ? [ofType(file)] : [])]))]
      : []),
    ...operatorConditions(filters),
  ]
  return { where: all.map(({ where }) => `(${where})`).join(' AND '), values: all.flatMap(({ values }) => values) }
}

/** Adds the condition that a page contains none of the unwanted terms. */
export function withoutUnwanted(conditions: Conditions, { unwanted }: Terms): Conditions {
  return withMatch(conditions, 'NOT IN', termsMatch(unwanted, 'any'))
}

/** Adds the condition that a page contains all phrases. */
export function withPhrases(conditions: Conditions, { phrases }: Terms): Conditions {
  return withMatch(conditions, 'IN', termsMatch(phrases, 'all'))
}

/** Adds the condition that a chunk contains all phrases. */
export function withPhrasesInChunk(conditions: Conditions, { phrases }: Terms): Conditions {
  return withMatch(conditions, 'IN', termsMatch(phrases, 'all'), { id: 'chunks.id', table: 'passages' })
}

const inPages = { id: 'pages.id', table: 'words' }

function withMatch(
  conditions: Conditions,
  how: 'IN' | 'NOT IN',
  match: string | undefined,
  { id, table } = inPages,
): Conditions {
  if (match === undefined) return conditions
  const { where, values } = conditions
  return {
    where: `${where} AND ${id} ${how} (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`,
    values: [...values, match],
  }
}

function operatorConditions({ sites, otherSites, paths, languages, after, before }: Filters): readonly Conditions[] {
  return [
    ...(sites.length > 0 ? [anyOf(sites.map(within))] : []),
    ...otherSites.map((site) => not(within(site))),
    ...(paths.length > 0 ? [anyOf(paths.map(underPath))] : []),
    ...(languages.length > 0 ? [anyOf(languages.map(inLanguage))] : []),
    ...(after === undefined ? [] : [{ where: 'pages.at >= ?', values: [after] }]),
    ...(before === undefined ? [] : [{ where: 'pages.at < ?', values: [before] }]),
  ]
}

function underPath(typed: string): Conditions {
  const path = decodedPath(typed)
  return { where: 'substr(pages.path, 1, length(?)) = ?', values: [path, path] }
}

function inLanguage(language: string): Conditions {
  return { where: 'pages.language = ?', values: [language] }
}

function timeCondition(time: SearchTime | undefined, now: number, life: number): Conditions {
  const from = time && 'within' in time ? now - spans[time.within] : Date.parse(time?.from ?? '')
  const to = time && !('within' in time) ? Date.parse(time.to ?? '') + 24 * hour : Number.NaN
  return {
    where: 'pages.at >= ? AND pages.at < ?',
    values: [Math.max(now - life, from || 0), Number.isNaN(to) ? Number.MAX_SAFE_INTEGER : to],
  }
}

/** Matches the domain and its subdomains. */
function within(domain: string): Conditions {
  const suffix = endsWith('pages.host', `.${domain}`)
  return { where: `pages.host = ? OR ${suffix.where}`, values: [domain, ...suffix.values] }
}

function ofType(file: string): Conditions {
  return endsWith('lower(pages.url)', `.${file}`)
}

/** Compares the end of a value, in the SQL of SQLite and of Postgres. */
function endsWith(value: string, end: string): Conditions {
  return { where: `substr(${value}, length(${value}) - length(?) + 1) = ?`, values: [end, end] }
}

function anyOf(conditions: readonly Conditions[]): Conditions {
  return {
    where: conditions.map(({ where }) => `(${where})`).join(' OR '),
    values: conditions.flatMap(({ values }) => values),
  }
}

function not({ where, values }: Conditions): Conditions {
  return { where: `NOT (${where})`, values }
}
