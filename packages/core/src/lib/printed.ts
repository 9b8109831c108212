/**
 * A value as JSON text in bytes, for a document that is to be kept and that nobody looks at before. The bytes belong to
 * whoever has it.
 */
export class Printed {
  readonly json: Uint8Array

  constructor(json: Uint8Array) {
    this.json = json
  }

  copy(): Printed {
    return new Printed(this.json.slice())
  }

  /** Whoever prints it in the usual way gets the value. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.json))
  }
}

const encoder = new TextEncoder()

/** The bytes have a buffer of their own, so they can be moved. Nothing for what JSON leaves out. */
export function printed(value: unknown): Uint8Array | undefined {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : encoder.encode(text)
}

/** The JSON text of an object, in pieces of bytes: what is printed already is a piece as it is. */
export function printedPieces(object: object): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  let text = '{'
  let between = ''
  for (const [key, value] of Object.entries(object)) {
    const isPrinted = value instanceof Printed
    const json = isPrinted ? '' : JSON.stringify(value)
    if (json === undefined) continue
    text += `${between}${JSON.stringify(key)}:${json}`
    between = ','
    if (!isPrinted) continue
    pieces.push(Buffer.from(text), value.json)
    text = ''
  }
  pieces.push(Buffer.from(`${text}}`))
  return pieces
}
