// Parses Markdown in a worker, which can be terminated if it takes too long.
import { lexer } from 'marked'

addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage(lexer(data, { gfm: true }))
})
