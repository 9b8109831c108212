// Allowed properties of the definitions that plugin authors write, for `checkDefinition`.
import type { Shape } from './definition.ts'

const text = { is: 'text' } as const
const list = { is: 'list' } as const
const object = { is: 'object' } as const
const fn = { is: 'function' } as const
const flag = { is: 'flag' } as const
const schema = { is: 'schema' } as const
const parts = { is: 'parts' } as const
const any = { is: 'any' } as const

const fields = 'an object of fields by the names that derive uses, such as { markdown }'
const name = (what: string) => ({ is: 'text', isRequired: true, give: what }) as const

/** Properties of a format that names a field or derives its value. */
export const formatShape: Shape = {
  ...{
    type: name('its name in formats, such as "price"'),
    name: text,
    as: text,
    propertiesFor: fn,
    is: any,
    options: { is: 'objectSchema', give: 'a zod object, such as z.object({ words: z.int() })' },
    value: schema,
  },
  ...{
    requires: parts,
    uses: parts,
    requiresFor: fn,
    follows: fn,
    since: fn,
    revisit: fn,
    minTimeout: { is: 'number' },
  },
  ...{ aliases: object, optionsUnder: text, valueFits: text, oneOf: list, accompanies: list, group: text },
  ...{
    check: fn,
    capture: fn,
    captureFailure: text,
    keep: fn,
    shorten: fn,
    locates: fn,
    loads: fn,
    credits: fn,
    creditsAtMost: fn,
    fromPageAlone: flag,
    redacts: flag,
    isRaw: flag,
    onFailure: text,
  },
  needs: { is: 'parts', give: fields },
  derive: { is: 'function', give: 'a function (needs, context) that returns the value' },
}

/** Properties of a format that derives its value. */
export const derivedFormatShape: Shape = {
  ...formatShape,
  needs: { is: 'parts', isRequired: true, give: `${fields}, or {}` },
  derive: { is: 'function', isRequired: true, give: 'a function (needs, context) that returns the value' },
}

/** Properties of an action. */
export const actionShape: Shape = {
  type: name('its name in actions, such as "hover"'),
  schema: {
    is: 'schema',
    isRequired: true,
    give: 'a zod object of its options, such as z.object({ selector: z.string() })',
  },
  run: { is: 'function', isRequired: true, give: 'a function (tab, options, context)' },
  ...{ check: fn, waits: fn, needs: object, isRepeated: flag },
}

/** Properties of a loader. */
export const loaderShape: Shape = {
  name: name('a name, such as "archive"'),
  cost: { is: 'number', isRequired: true, give: 'a number: loaders with a lower cost are tried first' },
  load: { is: 'function', isRequired: true, give: 'a function (job, kit) that returns a page, or pass(reason)' },
  ...{ offers: list, schemes: list, accepts: fn, onlyAfter: list },
}

/** Properties of a parser. */
export const parserShape: Shape = {
  name: name('a name, such as "calendar"'),
  accepts: { is: 'list', isRequired: true, give: 'the media types that it reads, such as ["text/calendar"]' },
  parse: {
    is: 'function',
    isRequired: true,
    give: 'a function (bytes, context) that returns { html }, { markdown } or { text }',
  },
  files: { is: 'list', give: 'file types, such as [{ format, extensions, mimeTypes }]' },
  ...{ fromPageAlone: flag, maxUnits: fn },
}

/** Properties of a reading. */
export const readingShape: Shape = {
  name: name('a name, such as "specs"'),
  module: { is: 'any', isRequired: true, give: "the URL of a file, such as new URL('./specs.js', import.meta.url)" },
  function: { is: 'text', give: 'the name of an exported function' },
  options: { is: 'function', give: 'a function (request) that returns the options' },
  inPlace: { is: 'function', give: 'a function that imports the module' },
}

/** Properties of a policy. */
export const policyShape: Shape = {
  name: name('a name, such as "no-social-media"'),
  may: {
    is: 'function',
    isRequired: true,
    give: 'a function (question, context) that returns true, or the reason why not',
  },
  mayUse: { is: 'function', give: 'a function (page, context) that returns true, or the reason why not' },
  elements: { is: 'list', give: 'a list of { selector, attribute }' },
}

/** Properties of a gate. */
export const gateShape: Shape = {
  name: name('a name, such as "quota"'),
  open: { is: 'function', isRequired: true, give: 'a function (kit) that returns { admit, noted, onEvent }' },
}

/** Properties of a kind of job. */
export const jobShape: Shape = {
  kind: name('its name, such as "dead_links"'),
  description: { is: 'text', isRequired: true, give: 'one sentence about what it does' },
  request: { is: 'any', isRequired: true, give: 'a zod object of its options' },
  answer: { is: 'schema', isRequired: true, give: 'a zod schema of its answer' },
  example: { is: 'object', isRequired: true, give: 'a request that works, for the docs' },
  about: { is: 'text', isRequired: true, give: 'the option that says what a job is about, such as "url"' },
  price: { is: 'function', isRequired: true, give: 'a function (request, kit) that returns { min, max, reasons }' },
  ...{ title: text, requires: parts, uses: parts, requiresFor: fn, target: fn, holds: fn, answerFits: object },
  ...{
    progress: object,
    instead: fn,
    threads: object,
    endpoints: list,
    command: object,
    webhookPayloads: object,
    run: fn,
    visits: object,
  },
}

/** Properties of a feature. */
export const featureShape: Shape = {
  name: name('its name on the engine, such as "notes"'),
  open: { is: 'function', isRequired: true, give: 'a function (kit) that returns its value' },
  endpoints: { is: 'function', give: 'a function (endpoint) that returns an object of endpoints' },
  ...{
    summary: text,
    examples: list,
    group: text,
    notFound: text,
    invalidId: text,
    commands: fn,
    activities: object,
    usesReplays: flag,
    keepsRecords: flag,
    secretFields: list,
    close: fn,
    around: fn,
    more: fn,
  },
}

/** Properties of a plugin. */
export const pluginShape: Shape = {
  name: name('a name, such as "shop"'),
  ...{ formats: list, actions: list, loaders: list, parsers: list, fields: list, keepers: list, policies: list },
  ...{ gates: list, jobs: list, features: list, gives: object, ports: fn, open: fn, close: fn },
}
