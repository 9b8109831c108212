import type { ModelReply, ModelRequest } from '../model.ts'
import { readJson } from '../read-json.ts'
import { callInWords } from '../shape.ts'
import type { Dialect } from './dialect.ts'
import { answerTool } from './request.ts'

/** Reverts the workarounds of the dialect: output in a tool call, a tool call in plain text, and wrapped values. */
export function replyFrom(reply: ModelReply, request: ModelRequest, dialect: Dialect, isWrapped: boolean): ModelReply {
  if (request.tools.length > 0) return dialect.tools ? reply : withCall(reply)
  const answered = reply.calls.find(({ name }) => name === answerTool)
  const text = answered && request.schema ? answered.input : reply.text
  // No tools were offered, so the call contains the output, and other text is dropped.
  return { ...reply, text: isWrapped ? unwrap(text) : text, calls: answered ? [] : reply.calls }
}

function withCall(reply: ModelReply): ModelReply {
  const call = callInWords(readJson(reply.text)?.value)
  return call ? { ...reply, text: '', calls: [{ id: '', ...call }] } : reply
}

function unwrap(text: string): string {
  const value = readJson(text)?.value
  const isWrapping =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).join() === 'value'
  return isWrapping ? JSON.stringify((value as { readonly value: unknown }).value) : text
}
