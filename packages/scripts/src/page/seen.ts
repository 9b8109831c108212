// Schemas of inspector results and of reports from the recording listeners.
import { z } from 'zod'

import { pageLimits } from './limits.ts'

const text = z.string().max(pageLimits.text)
const texts = (most: number) => z.array(text).max(most)

const stateSchema = z.object({
  value: z.string().max(20_000).optional(),
  filled: z.boolean().optional(),
  checked: z.boolean().optional(),
  selected: z.boolean().optional(),
  expanded: z.boolean().optional(),
  pressed: z.boolean().optional(),
})

/** The states of an element that an action may change. */
export type ElementState = z.output<typeof stateSchema>

const elementSchema = z.object({
  role: z.string().max(100),
  name: text,
  label: text,
  text,
  attributes: z.record(z.string().max(50), z.string().max(200)),
  before: text,
  after: text,
  row: texts(8),
  path: z.string().max(1_000),
  /** Attributes that identify its frame. Empty in the main document. */
  frame: z.record(z.string().max(50), text),
  /** The scope in which no other element has its role: `page`, or a form, dialog or landmark. */
  alone: text,
  state: stateSchema,
})

/** An element. Each property is a way to find it again. */
export type SeenElement = z.output<typeof elementSchema>

const pageSchema = z.object({ url: z.string().max(100_000), title: text, signs: texts(pageLimits.signs) })

/** Identifies the document, and whether it has finished loading. */
export const loadingSchema = z.object({ document: z.number(), isLoaded: z.boolean() })

/** The page with all elements that can be interacted with. */
export const lookSchema = pageSchema.extend({
  isComplete: z.boolean(),
  elements: z.array(elementSchema).max(pageLimits.elements + 1),
})

/** The page with all elements that can be interacted with. */
export type Look = z.output<typeof lookSchema>

/** A summary of the page, compared to detect changes. */
export const digestSchema = pageSchema.extend({ texts: texts(501), controls: z.array(z.string().max(300)).max(201) })

/** A summary of the page, compared to detect changes. */
export type Digest = z.output<typeof digestSchema>

const placeSchema = z.object({ index: z.int().min(0), of: z.int().min(1) })
/** The state of the element of the previous action. */
export const afterSchema = z.object({ id: z.string().max(100), isGone: z.boolean(), state: stateSchema.optional() })

/** An action as the page reported it. */
export const heardSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.enum(['click', 'fill', 'select', 'press']),
    id: z.string().max(100),
    target: elementSchema.extend({ place: placeSchema }),
    page: digestSchema,
    after: afterSchema.optional(),
    value: z.union([z.string().max(10_000), z.array(z.string().max(500)).max(100)]).optional(),
    isSecret: z.boolean().optional(),
    origin: z.string().max(300).optional(),
    key: z.string().max(50).optional(),
  }),
  z.object({
    type: z.literal('again'),
    id: z.string().max(100),
    value: z.union([z.string().max(10_000), z.array(z.string().max(500)).max(100)]).optional(),
    isSecret: z.boolean().optional(),
  }),
  /** The page unloads, but not because its tab was closed. */
  z.object({ type: z.literal('leaves') }),
])

/** The state of the page after the last action. */
export const outcomeSchema = z.object({ after: afterSchema.optional(), page: digestSchema })

export { stateSchema }
