// Generates a JSON Schema from the structured data of a page: its JSON-LD, else its metadata.
import { createContext } from 'preact'

import { client } from './api.ts'
import { schemaOf, type BuiltField, type FieldType } from './schema-fields.ts'

/** URL of the page that a form is about; empty if it is about several pages or none. */
export const PageOfForm = createContext('')

interface Page {
  readonly rawHtml?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

const mostFields = 30
const deepest = 3
const mostScripts = 20

/**
 * Loads a page and returns a schema of its data, or `undefined` for a page without data. Rejects if the page cannot be
 * loaded.
 */
export async function schemaFromPage(url: string, signal?: AbortSignal): Promise<object | undefined> {
  // Cast: the page is requested with its HTML.
  const page = (await client.scrape({ url, formats: ['rawHtml'] }, { signal })) as Page
  const fields = fieldsOfPage(page)
  return fields.length > 0 ? schemaOf(fields) : undefined
}

/** Returns the fields of the largest JSON-LD object of a page, or else of its metadata. Empty if it has neither. */
export function fieldsOfPage({ rawHtml = '', metadata = {} }: Page): readonly BuiltField[] {
  const found = linkedData(rawHtml).map((value) => fieldsOf(value, 1))
  const [largest = []] = found.toSorted((one, other) => other.length - one.length)
  if (largest.length > 0) return largest
  const { title, description } = metadata
  return fieldsOf({ ...(isText(title) && { title }), ...(isText(description) && { description }) }, 1)
}

const script = /<script[^>]*type=["']?application\/ld\+json["']?[^>]*>([^<]*(?:<(?!\/script)[^<]*)*)<\/script/gi

function linkedData(html: string): readonly object[] {
  const texts = [...html.matchAll(script)].slice(0, mostScripts).map(([, text = '']) => text)
  return texts.flatMap((text) => {
    try {
      const value: unknown = JSON.parse(text)
      const graph = isObject(value) && Array.isArray(value['@graph']) ? value['@graph'] : [value].flat()
      return graph.filter(isObject)
    } catch {
      return []
    }
  })
}

function fieldsOf(value: object, depth: number): readonly BuiltField[] {
  return Object.entries(value)
    .filter(([name]) => !name.startsWith('@'))
    .slice(0, mostFields)
    .flatMap(([name, own]) => fieldOf(name, own, depth) ?? [])
}

function fieldOf(name: string, value: unknown, depth: number): BuiltField | undefined {
  const made = (type: FieldType, fields: readonly BuiltField[] = []): BuiltField => ({
    name,
    type,
    isRequired: false,
    description: '',
    fields,
  })
  if (Array.isArray(value)) {
    const [first] = value as readonly unknown[]
    if (!isObject(first)) return value.length > 0 ? made('strings') : undefined
    const fields = depth < deepest ? fieldsOf(first, depth + 1) : []
    return fields.length > 0 ? made('objects', fields) : undefined
  }
  if (isObject(value)) {
    const fields = depth < deepest ? fieldsOf(value, depth + 1) : []
    return fields.length > 0 ? made('object', fields) : undefined
  }
  if (typeof value === 'boolean') return made('boolean')
  if (typeof value === 'number') return made('number')
  if (!isText(value)) return undefined
  // JSON-LD often has prices and ratings as strings.
  return made(/^\d+[.]\d+$/.test(value) ? 'number' : 'string')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
