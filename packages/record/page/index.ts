export { steady } from './steady.ts'
