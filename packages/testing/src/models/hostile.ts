import type { ErrorCode } from '@harvestman/core'
import type { Json } from '@harvestman/ports'

import type { ChatReply } from './reply.ts'

/** A known misbehaviour of models and endpoints, and the expected result of an `ask` call with a schema. */
export interface HostileReply {
  readonly name: string
  readonly replies: readonly ChatReply[]
  /** Maximum number of completion requests. */
  readonly most: number
  readonly becomes: { readonly value: Json } | { readonly code: ErrorCode; readonly reason?: string }
}

/** The schema that these replies are for. */
export const hostileSchema = {
  type: 'object',
  properties: { title: { type: 'string' }, price: { type: 'number' }, note: { type: 'string' } },
  required: ['title', 'price'],
  additionalProperties: false,
} as const

const right = { title: 'Lamp', price: 12.5 }
const printed = JSON.stringify(right)
const good = { value: right }
const fails = (reason: string, code: ErrorCode = 'model_failed') => ({ code, reason })

/** Invalid replies that models give, each with the expected result if two repairs and two retries are allowed. */
export const hostileReplies: readonly HostileReply[] = [
  { name: 'JSON in a code fence', replies: [{ text: `\`\`\`json\n${printed}\n\`\`\`` }], most: 1, becomes: good },
  {
    name: 'prose around JSON',
    replies: [{ text: `Sure! Here it is:\n${printed}\nAnything else {?}` }],
    most: 1,
    becomes: good,
  },
  {
    name: 'thoughts before JSON',
    replies: [{ text: `<think>{"title": 1}</think>${printed}` }],
    most: 1,
    becomes: good,
  },
  { name: 'commas too many', replies: [{ text: '{"title": "Lamp", "price": 12.5,}' }], most: 1, becomes: good },
  { name: 'a number as text', replies: [{ text: '{"title": "Lamp", "price": "12.5"}' }], most: 1, becomes: good },
  { name: 'null for what may be left out', replies: [{ value: { ...right, note: null } }], most: 1, becomes: good },
  {
    name: 'broken JSON once',
    replies: [{ text: '{"title": "Lamp", "price": ' }, { value: right }],
    most: 2,
    becomes: good,
  },
  { name: 'broken JSON always', replies: [{ text: '{"title": "Lamp", ' }], most: 3, becomes: fails('not_json') },
  {
    name: 'wrong types once',
    replies: [{ value: { title: 'Lamp', price: 'cheap' } }, { value: right }],
    most: 2,
    becomes: good,
  },
  {
    name: 'wrong types always',
    replies: [{ value: { title: 'Lamp', price: 'cheap' } }],
    most: 3,
    becomes: fails('unfit'),
  },
  {
    name: 'more than was asked for',
    replies: [{ value: { ...right, admin: true } }],
    most: 3,
    becomes: fails('unfit'),
  },
  { name: 'a refusal', replies: [{ refusal: 'I cannot help with that.' }], most: 1, becomes: fails('refused') },
  { name: 'a content filter', replies: [{ text: '', finish: 'content_filter' }], most: 1, becomes: fails('refused') },
  { name: 'nothing at all', replies: [{ text: '' }], most: 3, becomes: fails('empty') },
  {
    name: 'an answer that was cut',
    replies: [{ text: '{"title": "La', finish: 'length' }],
    most: 1,
    becomes: fails('cut'),
  },
  { name: 'a stream of 10 MB', replies: [{ flood: 10_000_000 }], most: 1, becomes: fails('too_large') },
  {
    name: 'a body of 10 MB',
    replies: [{ raw: `{"a":"${'x'.repeat(10_000_000)}"}` }],
    most: 1,
    becomes: fails('too_large'),
  },
  {
    name: 'a stream that breaks off once',
    replies: [{ brokenOff: '{"title": "La' }, { value: right }],
    most: 2,
    becomes: good,
  },
  {
    name: 'streams that break off',
    replies: [{ brokenOff: '{"title": "La' }],
    most: 3,
    becomes: fails('connection', 'model_unavailable'),
  },
  {
    name: 'connections that are closed',
    replies: ['hang up'],
    most: 3,
    becomes: fails('connection', 'model_unavailable'),
  },
  { name: 'silence', replies: ['silence'], most: 3, becomes: fails('silent', 'model_unavailable') },
  { name: 'a stream that stalls', replies: ['stall'], most: 3, becomes: fails('silent', 'model_unavailable') },
  {
    name: 'too many requests once',
    replies: [{ status: 429, headers: { 'retry-after': '0.01' } }, { value: right }],
    most: 2,
    becomes: good,
  },
  { name: 'too many requests', replies: [{ status: 429 }], most: 3, becomes: fails('busy', 'model_unavailable') },
  {
    name: 'a wait of an hour',
    replies: [{ status: 429, headers: { 'retry-after': '3600' } }],
    most: 1,
    becomes: fails('busy', 'model_unavailable'),
  },
  {
    name: 'an account that is empty',
    replies: [{ status: 429, body: '{"error":{"code":"insufficient_quota"}}' }],
    most: 1,
    becomes: fails('quota', 'model_unavailable'),
  },
  { name: 'a server error once', replies: [{ status: 500 }, { value: right }], most: 2, becomes: good },
  { name: 'server errors', replies: [{ status: 503 }], most: 3, becomes: fails('busy', 'model_unavailable') },
  {
    name: 'a failure told with status 200',
    replies: [{ raw: '{"error":{"message":"upstream"}}' }],
    most: 3,
    becomes: fails('server', 'model_unavailable'),
  },
  {
    name: 'a page of HTML',
    replies: [{ raw: '<html>Sign in</html>', type: 'text/html' }],
    most: 1,
    becomes: fails('bad_answer'),
  },
  {
    name: 'JSON that is no answer',
    replies: [{ raw: '{"choices": {}, "usage": 7}' }],
    most: 1,
    becomes: fails('bad_answer'),
  },
  {
    name: 'calls of nothing',
    replies: [{ raw: '{"choices": [{"message": {"tool_calls": [null, 7, {"function": 7}]}}]}' }],
    most: 3,
    becomes: fails('empty'),
  },
  {
    name: 'a question that is too long for it',
    replies: [{ status: 400, body: '{"error":{"code":"context_length_exceeded"}}' }],
    most: 1,
    becomes: fails('too_long'),
  },
  {
    name: 'a refusal of the request for a reason of its own',
    replies: [{ status: 422, body: 'no' }],
    most: 1,
    becomes: fails('bad_request'),
  },
  {
    name: 'a redirect',
    replies: [{ status: 307, headers: { location: 'http://127.0.0.1:9/' } }],
    most: 1,
    becomes: { code: 'not_configured' },
  },
  {
    name: 'an unknown model',
    replies: [{ status: 404, body: '{"error":{"message":"model not found"}}' }],
    most: 1,
    becomes: { code: 'not_configured' },
  },
]
