export { captureCrashes } from './crash/browser-crashes.ts'
