// Builds the page of the server into packages/web/dist, for an image whose server may not write where its sources are.
import { buildPage } from '../packages/web/src/build.ts'

await buildPage()
