import { describe, expect, it } from 'vitest'
import { nameForType, safeFileName } from './file-names.ts'

describe('a safe file name', () => {
  it.each([
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Aux .log', '_Aux .log'],
    ['com1.tar.gz', '_com1.tar.gz'],
    ['LPT9', '_LPT9'],
    ['COM¹.txt', '_COM¹.txt'],
    ['conin$', '_conin$'],
    ['logs/prn.json', '_prn.json'],
    ['console.log', 'console.log'],
    ['com10.txt', 'com10.txt'],
    ['auxiliary', 'auxiliary'],
    ['trace. . ', 'trace'],
    ['nul.', '_nul'],
    ['...', 'file'],
  ])('of %j is %j', (name, safe) => {
    expect(safeFileName({ name })).toBe(safe)
    expect(safeFileName({ name: safe })).toBe(safe)
  })
})

describe('the name of a file that a browser shows', () => {
  it.each([
    ['shot.html', 'image/png', 'shot.png'],
    ['shot', 'image/png', 'shot.png'],
    ['Screenshot 10.30', 'image/png', 'Screenshot 10.30.png'],
    ['photo.JPEG', 'image/jpeg', 'photo.JPEG'],
    ['photo.exe', 'image/jpeg', 'photo.jpg'],
    ['clip.m4v', 'video/mp4', 'clip.m4v'],
    ['page.html', 'text/html', 'page.html'],
    ['page.html', null, 'page.html'],
    ['😀'.repeat(255), 'image/gif', `${'😀'.repeat(251)}.gif`],
  ])('%j as %s is %j', (name, type, named) => {
    expect(nameForType(name, type)).toBe(named)
    expect(nameForType(named, type)).toBe(named)
  })
})
