package messages

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// uploadNameMax is the length in bytes above which a component of a path is not
// looked at, and is refused as if it were a secret's.
const uploadNameMax = 255

// SecretHeadBytes is how much of the start of a file SecretContent needs.
const SecretHeadBytes = 4 << 10

// SecretName reports whether a component of an upload's path has a name that is
// customary for secrets: keys, stores of passwords and cookies, credentials of clouds
// and tools, histories of shells (C24). Letter case and the marks of copies (.bak, ~,
// " (1)") do not matter. A directory of such a name hides everything below it.
func SecretName(name string) bool {
	for component := range strings.SplitSeq(strings.ToLower(strings.ReplaceAll(name, `\`, "/")), "/") {
		first := original(component)
		// Editors put a dot before the name of what they keep beside a file.
		if len(component) > uploadNameMax || slices.ContainsFunc([]string{component, first, strings.TrimPrefix(first, ".")}, secretComponent) {
			return true
		}
	}
	return false
}

// original takes the marks of copies from a name in lower case: notes.key~,
// "notes (1).key", notes.key.bak.2 and "copy of notes.key" are notes.key.
func original(name string) string {
	for {
		was := name
		name = strings.Trim(strings.TrimSuffix(name, "~"), " #")
		name = strings.TrimPrefix(name, ".#")
		for _, prefix := range []string{"copy of ", "copy_of_", "backup_", "backup-", "old_", "old-"} {
			name = strings.TrimPrefix(name, prefix)
		}
		stem, extension := strings.TrimSuffix(name, path.Ext(name)), path.Ext(name)
		if stem != "" && (copySuffixes[extension] || numeric(strings.TrimPrefix(extension, "."))) {
			name = stem
		} else if shorter := uncopied(stem); shorter != "" {
			name = shorter + extension
		}
		if name == was {
			return name
		}
	}
}

// copySuffixes are extensions of copies and of what editors and archives leave.
var copySuffixes = setOf(".bak", ".bak1", ".bak2", ".backup", ".back", ".bk", ".bkp", ".old", ".orig", ".original", ".save", ".saved", ".sav", ".copy", ".tmp", ".temp",
	".swp", ".swo", ".swn", ".new", ".prev", ".previous", ".rej", ".dist", ".disabled", ".txt", ".gz", ".zip", ".bz2", ".xz", ".zst", ".tar", ".tgz", ".7z",
	".rpmsave", ".rpmorig", ".dpkg-old", ".dpkg-dist", ".ucf-old", ".part", ".download")

// uncopied takes what marks a stem as a copy: "a (1)", "a - copy", a_backup, a-old. It is
// empty when there is no such mark.
func uncopied(stem string) string {
	for _, suffix := range []string{" copy", "-copy", "_copy", "_backup", "-backup", "_bak", "-bak", "_old", "-old", "_orig", "-orig"} {
		if rest, found := strings.CutSuffix(stem, suffix); found {
			return rest
		}
	}
	if i := strings.LastIndex(stem, "("); i > 0 && strings.HasSuffix(stem, ")") && numeric(stem[i+1:len(stem)-1]) {
		return strings.TrimRight(stem[:i], " ")
	}
	return ""
}

func numeric(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// secretComponent applies the rules to one name in lower case.
func secretComponent(name string) bool {
	extension := path.Ext(name)
	stem := strings.TrimSuffix(name, extension)
	switch {
	case secretNames[name], secretExtensions[extension]:
		return true
	case name == ".env" || name == ".envrc" || strings.HasPrefix(name, ".env.") || extension == ".env" || extension == ".envrc":
		return true
	case extension != ".pub" && (keyStem(name) || keyStem(stem)):
		return true
	case strings.HasPrefix(name, ".") && (historyName(name) || slices.ContainsFunc(words(name), func(w string) bool { return hiddenWords[w] })):
		return true
	case secretStem(stem, extension):
		return true
	}
	return slices.ContainsFunc(secretPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// keyStem reports whether a name is that of a private key of ssh, whatever its kind:
// id_rsa, id_ed25519_sk, id_rsa_work, ssh_host_ecdsa_key.
func keyStem(name string) bool {
	if strings.HasPrefix(name, "ssh_host_") && strings.HasSuffix(name, "_key") {
		return true
	}
	rest, found := strings.CutPrefix(name, "id_")
	if !found {
		rest, found = strings.CutPrefix(name, "id-")
	}
	kind, _, _ := strings.Cut(strings.ReplaceAll(rest, "-", "_"), "_")
	return found && slices.Contains([]string{"rsa", "dsa", "ecdsa", "ed25519", "ed448", "xmss"}, kind)
}

// historyName reports whether a hidden file is what an interpreter kept of its input.
func historyName(name string) bool {
	return strings.HasSuffix(name, "_history") || strings.HasSuffix(name, "-history") || strings.HasSuffix(name, "hist") ||
		strings.HasSuffix(name, "hst") || strings.HasSuffix(name, ".history") || name == ".history" || name == ".viminfo"
}

// words splits a name at its punctuation.
func words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".-_ +@()[]", r) })
}

// hiddenWords make a hidden file or directory a secret's: .vault-token, .git-credentials.
var hiddenWords = setOf("token", "tokens", "password", "passwords", "passwd", "secret", "secrets", "credential", "credentials", "creds", "auth", "pgpass", "netrc", "cnf", "mylogin", "keys", "keychain", "keyring")

// secretWords are in the name of a file of data only when it is one of secrets:
// aws-credentials.json. endingWords are so where they end the name (prod_secrets.yaml and
// not "the secret garden"), token and key behind one of secretKeyBefore.
var (
	secretWords     = setOf("credentials", "credential", "creds", "passwords", "passwd", "passphrases", "logins", "privatekey", "apikey", "apikeys", "accesskeys", "rootkey", "htpasswd", "keystore", "truststore", "kubeconfig", "keyring")
	endingWords     = setOf("secret", "secrets", "password", "passphrase")
	dataExtensions  = setOf("", ".csv", ".json", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".config", ".properties", ".xml", ".db", ".sqlite", ".sqlite3", ".dat", ".plist", ".tfvars", ".xls", ".xlsx", ".tsv", ".enc", ".kdb", ".ps1", ".sh", ".rc", ".md", ".b64", ".bin", ".log")
	secretKeyBefore = setOf("private", "secret", "access", "api", "auth", "bearer", "refresh", "signing", "deploy", "ssh", "encryption")
)

// proseExtensions are of texts and programs, which may well be about secrets.
var proseExtensions = setOf(".md", ".sh", ".ps1", ".log", ".xml")

// secretStem applies the rules for files of data.
func secretStem(stem, extension string) bool {
	if !dataExtensions[extension] {
		return false
	}
	parts := words(stem)
	for i, w := range parts {
		ends := i == len(parts)-1 && endingWords[w] || i == 0 && w == "secrets"
		if (secretWords[w] || ends) && (len(parts) == 1 || !proseExtensions[extension]) {
			return true
		}
		if i > 0 && (w == "key" || w == "keys" || w == "token" || w == "tokens") && secretKeyBefore[parts[i-1]] {
			return true
		}
	}
	return len(parts) == 2 && parts[0] == "service" && parts[1] == "account" || len(parts) == 1 && (stem == "token" || stem == "tokens") && extension != ".md"
}

// secretNames are names, or directories, of what tools keep their secrets in.
var secretNames = setOf(
	// Keys and identities.
	".ssh", ".gnupg", ".gpg", "secring.gpg", "trustdb.gpg", "authorized_keys", "private-keys-v1.d", "keyrings", ".password-store", ".pki", "wallet.dat", "default.wallet", "keystore",
	// Clouds, clusters, registries.
	".aws", ".azure", ".gcloud", "gcloud", ".kube", "kubeconfig", "kube.config", ".docker", ".dockercfg", ".oci", ".aliyun", ".doctl", ".boto", ".s3cfg", ".terraform.d", ".terraformrc", "terraform.rc",
	"application_default_credentials.json", "access_tokens.db", "service-account.json", "serviceaccount.json", "accesstokens.json", "azureprofile.json", "msal_token_cache.json",
	// Tools.
	".git", ".netrc", "_netrc", ".npmrc", ".yarnrc", ".pypirc", ".gem", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".mysql", ".htpasswd", ".htdigest", ".git-credentials",
	".vault-token", ".subversion", ".ansible_vault", ".vault_pass", "vault_pass", ".authinfo", ".authinfo.gpg", ".curlrc", ".wgetrc", ".rclone.conf", "rclone.conf", ".cargo-credentials", ".dbshell", ".wallet", ".electrum", ".bitcoin", ".ethereum",
	// Systems.
	"shadow", "gshadow", "passwd", "master.passwd", "opasswd", "ntds.dit", "sudoers", "krb5.keytab", ".xauthority", "wp-config.php", "localsettings.php", "web.config",
	// Browsers.
	"login data", "login data for account", "cookies", "web data", "local state", "key3.db", "key4.db", "cert8.db", "cert9.db", "logins.json", "logins-backup.json", "signons.sqlite", "cookies.sqlite", "formhistory.sqlite",
	"cookies.txt", "cookies.json", "cookies.binarycookies", "login.keychain", "safe browsing cookies", "trust tokens", "extension cookies", "sessionstore.jsonlz4", "recovery.jsonlz4", "places.sqlite", "webappsstore.sqlite",
	"credentials", "secrets", "network persistent state",
	// Shells that keep their history without a dot.
	"fish_history", "zsh_history", "bash_history", "consolehost_history",
)

// secretPrefixes are names of tools' secrets that go on with a name or a mark.
var secretPrefixes = []string{"terraform.tfstate", "cookies.sqlite-", "login data-", "web data-", "cookies-journal", "key4.db-", "krb5cc_", "client_secret_", "service-account-", "service_account_", "serviceaccountkey"}

// secretExtensions are those of keys, stores of keys, and states that hold secrets.
var secretExtensions = setOf(".pem", ".key", ".p12", ".pfx", ".p8", ".pkcs8", ".pkcs12", ".der_key", ".kdbx", ".kdb", ".keystore", ".jks", ".jceks", ".bks", ".ppk", ".asc", ".gpg", ".pgp", ".keytab", ".ovpn",
	".tfstate", ".tfvars", ".keychain", ".keychain-db", ".agilekeychain", ".opvault", ".1pif", ".1pux", ".psafe3", ".kwallet", ".mobileprovision", ".htpasswd", ".netrc", ".rdp", ".snk", ".privkey", ".seed", ".agekey", ".wallet", ".kubeconfig")

func setOf(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// secretMarks begin a private key, by whatever name the file goes.
var secretMarks = [][]byte{
	[]byte("PRIVATE KEY-----"), []byte("PRIVATE KEY BLOCK-----"), []byte("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----"), []byte("PuTTY-User-Key-File-"),
	[]byte("AGE-SECRET-KEY-1"), []byte("openssh-key-v1\x00"),
}

// SecretContent reports whether the first SecretHeadBytes of a file are those of a
// private key (C24).
func SecretContent(head []byte) bool {
	if utf16 := len(head) > 1 && (head[0] == 0xff && head[1] == 0xfe || head[0] == 0xfe && head[1] == 0xff); utf16 {
		head = bytes.ReplaceAll(head, []byte{0}, nil)
	}
	return slices.ContainsFunc(secretMarks, func(mark []byte) bool { return bytes.Contains(head, mark) })
}
