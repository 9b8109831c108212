/** A key as the DevTools protocol describes it. */
export interface Key {
  readonly key: string
  readonly code: string
  readonly keyCode: number
  /** Characters that the key enters, if any. */
  readonly text?: string
}

const named = (key: string, keyCode: number, code = key, text?: string): Key => ({
  key,
  code,
  keyCode,
  ...(text !== undefined && { text }),
})

const special: readonly Key[] = [
  named('Enter', 13, 'Enter', '\r'),
  named('Tab', 9),
  named('Backspace', 8),
  named('Delete', 46),
  named('Insert', 45),
  named('Escape', 27),
  named(' ', 32, 'Space', ' '),
  named('ArrowLeft', 37),
  named('ArrowUp', 38),
  named('ArrowRight', 39),
  named('ArrowDown', 40),
  named('Home', 36),
  named('End', 35),
  named('PageUp', 33),
  named('PageDown', 34),
  named('Shift', 16, 'ShiftLeft'),
  named('Control', 17, 'ControlLeft'),
  named('Alt', 18, 'AltLeft'),
  named('Meta', 91, 'MetaLeft'),
  named('CapsLock', 20),
  named('NumLock', 144),
  named('ScrollLock', 145),
  named('Pause', 19),
  named('PrintScreen', 44),
  named('ContextMenu', 93),
  ...Array.from({ length: 24 }, (_, index) => named(`F${index + 1}`, 112 + index)),
]

// Punctuation keys of a US keyboard: character, character with Shift, code, key code.
const signs = [
  ['-', '_', 'Minus', 189],
  ['=', '+', 'Equal', 187],
  ['[', '{', 'BracketLeft', 219],
  [']', '}', 'BracketRight', 221],
  ['\\', '|', 'Backslash', 220],
  [';', ':', 'Semicolon', 186],
  ["'", '"', 'Quote', 222],
  [',', '<', 'Comma', 188],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
  ['`', '~', 'Backquote', 192],
] as const
const aboveDigits = ')!@#$%^&*('.split('')

const written: ReadonlyMap<string, Key> = new Map<string, Key>([
  ...signs.flatMap(([plain, shifted, code, keyCode]): [string, Key][] => [
    [plain, { key: plain, code, keyCode, text: plain }],
    [shifted, { key: shifted, code, keyCode, text: shifted }],
  ]),
  ...aboveDigits.flatMap((sign, digit): [string, Key][] => [
    [String(digit), { key: String(digit), code: `Digit${digit}`, keyCode: 48 + digit, text: String(digit) }],
    [sign, { key: sign, code: `Digit${digit}`, keyCode: 48 + digit, text: sign }],
  ]),
  ...'abcdefghijklmnopqrstuvwxyz'.split('').flatMap((letter): [string, Key][] => {
    const upper = letter.toUpperCase()
    const shared = { code: `Key${upper}`, keyCode: upper.charCodeAt(0) }
    return [
      [letter, { key: letter, text: letter, ...shared }],
      [upper, { key: upper, text: upper, ...shared }],
    ]
  }),
  [' ', special.find(({ code }) => code === 'Space')!],
  ['\n', special[0]!],
  ['\r', special[0]!],
  ['\t', { ...special[1]!, text: '\t' }],
])

/** Returns the key that enters a character, or `undefined` if a US keyboard has none. */
export function keyFor(character: string): Key | undefined {
  return written.get(character)
}

const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    return: 'Enter',
    esc: 'Escape',
    space: ' ',
    spacebar: ' ',
    del: 'Delete',
    ins: 'Insert',
    ctrl: 'Control',
    cmd: 'Meta',
    command: 'Meta',
    win: 'Meta',
    option: 'Alt',
    up: 'ArrowUp',
    down: 'ArrowDown',
    left: 'ArrowLeft',
    right: 'ArrowRight',
  }),
)

const byName = new Map<string, Key>(special.map((one) => [one.key.toLowerCase(), one]))
const byCode = new Map<string, Key>([...special, ...written.values()].map((one) => [one.code.toLowerCase(), one]))

// Modifier bits in the protocol.
const modifiers: ReadonlyMap<string, number> = new Map(Object.entries({ Alt: 1, Control: 2, Meta: 4, Shift: 8 }))

export interface Stroke {
  readonly key: Key
  /** Modifier keys to press with it. */
  readonly held: readonly Key[]
}

/**
 * Parses a key combination such as `Enter`, `a`, `Control+A` or `Shift+Tab`. Names of keys are case-insensitive, single
 * characters are not. Returns `undefined` if there is no such key.
 */
export function parseStroke(text: string): Stroke | undefined {
  const names = text === '+' ? ['+'] : text.endsWith('++') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+')
  const keys = names.map((name) => findKey(name.length > 1 ? name.trim() : name))
  const key = keys.at(-1)
  const held = keys.slice(0, -1)
  if (!key || held.some((one) => !one || modifiers.get(one.key) === undefined)) return undefined
  return { key, held: held as Key[] }
}

function findKey(name: string): Key | undefined {
  const small = name.toLowerCase()
  return written.get(name) ?? byName.get(aliases.get(small)?.toLowerCase() ?? small) ?? byCode.get(small)
}

/** Returns the modifier bit of a key, or 0. */
function bitOf({ key }: Key): number {
  return modifiers.get(key) ?? 0
}

export interface KeyEvent {
  readonly type: 'keyDown' | 'rawKeyDown' | 'keyUp'
  readonly key: string
  readonly code: string
  readonly windowsVirtualKeyCode: number
  readonly modifiers: number
  readonly text?: string
  readonly unmodifiedText?: string
  readonly commands?: string[]
}

/** Yields the key events of a key combination, in order. */
export function* keyEvents({ held, key }: Stroke): Generator<KeyEvent> {
  let bits = 0
  for (const one of held) yield keyEvent('rawKeyDown', one, (bits |= bitOf(one)))
  // With Control, Alt or Meta a key enters nothing. Editing shortcuts are sent as commands.
  const writes = key.text !== undefined && (bits & ~8) === 0
  yield keyEvent(writes ? 'keyDown' : 'rawKeyDown', key, bits)
  yield keyEvent('keyUp', key, bits)
  for (const one of held.toReversed()) yield keyEvent('keyUp', one, (bits &= ~bitOf(one)))
}

const editing: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'selectAll',
    c: 'copy',
    v: 'paste',
    x: 'cut',
    z: 'undo',
    y: 'redo',
  }),
)

function keyEvent(type: KeyEvent['type'], { key, code, keyCode, text }: Key, modifiers: number): KeyEvent {
  const command = type === 'rawKeyDown' && (modifiers & 6) !== 0 ? editing.get(key.toLowerCase()) : undefined
  return {
    type,
    key,
    code,
    windowsVirtualKeyCode: keyCode,
    modifiers,
    ...(type === 'keyDown' && text && { text, unmodifiedText: text }),
    ...(command && { commands: [command] }),
  }
}
