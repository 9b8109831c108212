// Calls from other languages: a chain of steps on the page, its context or its browser, or on what an earlier call gave. A
// function among the arguments is one of the client: it is called there, and its value comes back as a reply.
const handles = new Map()
let lastHandle = 0
const mostHandles = 1_000

const isPlain = (value, depth = 0) => {
  if (value === null || typeof value !== 'object') return typeof value !== 'function'
  if (depth > 20) return false
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1))
  return (
    Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every((item) => isPlain(item, depth + 1))
  )
}

/** What never changes of an object, which other languages have as properties: it comes with the object. */
const facts = {
  ConsoleMessage: ['text', 'type'],
  Dialog: ['message', 'type', 'defaultValue'],
  Download: ['url', 'suggestedFilename'],
  FileChooser: ['isMultiple'],
  Request: ['url', 'method', 'resourceType', 'postData', 'headers'],
  Response: ['url', 'status', 'statusText', 'ok', 'headers'],
  WebSocket: ['url'],
  Worker: ['url'],
}

// A bundler may have numbered the name of a class.
const kindOf = (value) => value.constructor?.name.replace(/^_|\d+$/g, '') ?? 'object'

function show(value) {
  if (value === undefined) return { value: null }
  if (Buffer.isBuffer(value)) return { bytes: value.toString('base64') }
  if (isPlain(value)) return { value }
  if (Array.isArray(value)) return { list: value.map(show) }
  handles.set(++lastHandle, value)
  if (handles.size > mostHandles) handles.delete(handles.keys().next().value)
  const kind = kindOf(value)
  const known = Object.fromEntries((facts[kind] ?? []).map((name) => [name, value[name]() ?? null]))
  return { handle: lastHandle, kind, facts: known }
}

/** By client and number of the function. The same function must be the same again, to be taken from a list of listeners. */
const functions = new Map()
const replies = new Map()
let lastReply = 0

function functionOf(number, client, send) {
  const key = `${client} ${number}`
  const known = functions.get(key)
  if (known) return known
  const made = async (...args) => {
    // A request that nobody decides about any more goes on.
    const leave = () => args[0]?.fallback?.()
    if (functions.get(key) !== made) return leave()
    const reply = ++lastReply
    return new Promise((resolve, reject) => {
      replies.set(reply, { client, resolve, reject, leave: () => resolve(leave()) })
      send({ call: number, reply, args: args.map(show) })
    })
  }
  functions.set(key, made)
  return made
}

export function takeReply(client, { reply, value, error }) {
  const waiting = replies.get(reply)
  if (waiting?.client !== client) return
  replies.delete(reply)
  if (error === undefined) waiting.resolve(value)
  else waiting.reject(new Error(error))
}

export function forgetClient(client) {
  for (const key of functions.keys()) if (key.startsWith(`${client} `)) functions.delete(key)
  for (const [reply, waiting] of replies) {
    if (waiting.client !== client) continue
    replies.delete(reply)
    waiting.leave()
  }
}

function read(argument, client, send) {
  if (argument === null || typeof argument !== 'object') return argument
  if ('__handle' in argument) return handles.get(argument.__handle)
  if ('__regex' in argument) return new RegExp(argument.__regex, argument.flags)
  if ('__function' in argument) return functionOf(argument.__function, client, send)
  if ('__bytes' in argument) return Buffer.from(argument.__bytes, 'base64')
  if (Array.isArray(argument)) return argument.map((item) => read(item, client, send))
  return Object.fromEntries(Object.entries(argument).map(([name, value]) => [name, read(value, client, send)]))
}

export async function callPage(all, { on, steps }, client, send) {
  let value = typeof on === 'number' ? handles.get(on) : all[on]
  if (value === undefined) throw new Error(`There is no ${on} in this session any more.`)
  for (const { name, args } of steps) {
    const member = value[name]
    if (member === undefined) throw new Error(`${kindOf(value)} has no ${name}.`)
    value =
      typeof member === 'function'
        ? member.apply(
            value,
            (args ?? []).map((argument) => read(argument, client, send)),
          )
        : member
    // A locator is no promise, and neither is a keyboard; what is one is waited for.
    if (typeof value?.then === 'function') value = await value
  }
  return show(value)
}
