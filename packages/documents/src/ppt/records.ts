// The records of a presentation of the years before 2007 ([MS-PPT]).

export interface PptRecord {
  readonly type: number
  readonly instance: number
  readonly data: Buffer
}

const headSize = 8

/** Returns the record at an offset. Its data is truncated if the stream is. Throws `RangeError` outside of the stream. */
export function recordAt(stream: Buffer, offset: number): PptRecord {
  const version = stream.readUInt16LE(offset)
  const start = offset + headSize
  return {
    type: stream.readUInt16LE(offset + 2),
    instance: version >> 4,
    data: stream.subarray(start, start + stream.readUInt32LE(offset + 4)),
  }
}

/** Reads the records in a container one after another, and not those inside of them. */
export function* recordsIn(data: Buffer): Generator<PptRecord> {
  let at = 0
  while (at + headSize <= data.length) {
    yield recordAt(data, at)
    at += headSize + data.readUInt32LE(at + 4)
  }
}

/** Returns the first record of a type in a container. */
export function recordOf(data: Buffer, type: number): PptRecord | undefined {
  for (const record of recordsIn(data)) if (record.type === type) return record
  return undefined
}

export const types = {
  document: 1000,
  slide: 1006,
  slideAtom: 1007,
  notes: 1008,
  slidePersist: 1011,
  slideShowInfo: 1017,
  drawing: 1036,
  outlineReference: 3998,
  textHead: 3999,
  wideText: 4000,
  textStyle: 4001,
  narrowText: 4008,
  placeholder: 3011,
  slideNumber: 4056,
  slideList: 4080,
  userEdit: 4085,
  dateTime: 4087,
  genericDate: 4088,
  head: 4089,
  foot: 4090,
  persistDirectory: 6002,
  drawingContainer: 0xf002,
  group: 0xf003,
  shape: 0xf004,
  properties: 0xf00b,
  textBox: 0xf00d,
  childAnchor: 0xf00f,
  clientData: 0xf011,
  moreProperties: 0xf122,
} as const
