// The addresses of a browser's documents as the server reads them. Its file system knows paths alone, so the one file system that the
// workspace lies in becomes `file:`; documents of others keep their addresses and are read for themselves.

import { Uri } from "vscode";

/** A file system: a scheme and an authority. */
export interface FileSystemName {
  readonly scheme: string;
  readonly authority: string;
}

/** The two ways between the editor's addresses and the server's. */
export class AddressMap {
  constructor(private readonly home: FileSystemName) {}

  /** True for a document of the file system that the server reads. */
  isHome(uri: Uri): boolean {
    return uri.scheme === this.home.scheme && uri.authority === this.home.authority;
  }

  /** The address that the server is told. */
  toServer(uri: Uri): string {
    return this.isHome(uri) ? Uri.from({ scheme: "file", path: uri.path }).toString() : uri.toString();
  }

  /** The document that an address of the server names. */
  toEditor(address: string): Uri {
    const uri = Uri.parse(address);
    return uri.scheme === "file" ? uri.with({ scheme: this.home.scheme, authority: this.home.authority }) : uri;
  }
}
