export { readBranding } from './branding/read.ts'
