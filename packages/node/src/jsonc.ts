/** JSON with comments and last commas, as JSON: what is taken away becomes spaces, so that places stay what they are. */
export function withoutComments(text: string): string {
  const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ')
  const bare = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith('"') ? part : blank(part),
  )
  return bare.replaceAll(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g, (part) => (part === ',' ? ' ' : part))
}
