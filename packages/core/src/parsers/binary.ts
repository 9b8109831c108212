import { defineParser } from '../plugin/define.ts'
import { missingParser, unlistedParser } from './missing-parser.ts'

/** Types that can be returned unparsed, and the entry of `parsers` that must be absent for that. */
const parserOfRawType: Readonly<Record<string, string>> = { 'application/pdf': 'pdf' }

/** The last parser: returns the file as base64 if its parser is turned off, and rejects types that no parser supports. */
export const binaryParser = defineParser({
  name: 'binary',
  accepts: ['*'],
  fromPageAlone: true,
  parse: (bytes, { type, contentType, request, turnedOff }) => {
    const choice = parserOfRawType[type]
    const isUnread = choice !== undefined && !request.parsers.some((parser) => parser.type === choice)
    if (isUnread) return { text: { bytes, contentType, kind: 'base64' } }
    if (turnedOff !== undefined) throw unlistedParser(type, turnedOff)
    throw missingParser(type, choice === undefined ? undefined : rawRemedy(choice))
  },
})

function rawRemedy(parser: string): string {
  return `Or switch the parser ${parser} off (parsers: [], parsePDF: false) to get the file itself as base64.`
}
